// The files of the page as a part of the program. Swift's compiler takes a minute for literals of this size, which
// SwiftPM's own embedding of resources would write.
#include "page.h"

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed

static const unsigned char agent_js[] = {
#embed "../TrackEngineServer/Page/Files/agent.js"
};
static const unsigned char app_js[] = {
#embed "../TrackEngineServer/Page/Files/app.js"
};
static const unsigned char areaeditor_js[] = {
#embed "../TrackEngineServer/Page/Files/areaeditor.js"
};
static const unsigned char areas_js[] = {
#embed "../TrackEngineServer/Page/Files/areas.js"
};
static const unsigned char ask_js[] = {
#embed "../TrackEngineServer/Page/Files/ask.js"
};
static const unsigned char chart_js[] = {
#embed "../TrackEngineServer/Page/Files/chart.js"
};
static const unsigned char colours_js[] = {
#embed "../TrackEngineServer/Page/Files/colours.js"
};
static const unsigned char corrections_js[] = {
#embed "../TrackEngineServer/Page/Files/corrections.js"
};
static const unsigned char day_js[] = {
#embed "../TrackEngineServer/Page/Files/day.js"
};
static const unsigned char daymap_js[] = {
#embed "../TrackEngineServer/Page/Files/daymap.js"
};
static const unsigned char devices_js[] = {
#embed "../TrackEngineServer/Page/Files/devices.js"
};
static const unsigned char diary_js[] = {
#embed "../TrackEngineServer/Page/Files/diary.js"
};
static const unsigned char drawing_js[] = {
#embed "../TrackEngineServer/Page/Files/drawing.js"
};
static const unsigned char format_js[] = {
#embed "../TrackEngineServer/Page/Files/format.js"
};
static const unsigned char ground_js[] = {
#embed "../TrackEngineServer/Page/Files/ground.js"
};
static const unsigned char groups_js[] = {
#embed "../TrackEngineServer/Page/Files/groups.js"
};
static const unsigned char history_js[] = {
#embed "../TrackEngineServer/Page/Files/history.js"
};
static const unsigned char index_html[] = {
#embed "../TrackEngineServer/Page/Files/index.html"
};
static const unsigned char land_json[] = {
#embed "../TrackEngineServer/Page/Files/land.json"
};
static const unsigned char live_js[] = {
#embed "../TrackEngineServer/Page/Files/live.js"
};
static const unsigned char locked_html[] = {
#embed "../TrackEngineServer/Page/Files/locked.html"
};
static const unsigned char map_js[] = {
#embed "../TrackEngineServer/Page/Files/map.js"
};
static const unsigned char modes_js[] = {
#embed "../TrackEngineServer/Page/Files/modes.js"
};
static const unsigned char nomap_js[] = {
#embed "../TrackEngineServer/Page/Files/nomap.js"
};
static const unsigned char pieces_js[] = {
#embed "../TrackEngineServer/Page/Files/pieces.js"
};
static const unsigned char places_js[] = {
#embed "../TrackEngineServer/Page/Files/places.js"
};
static const unsigned char player_js[] = {
#embed "../TrackEngineServer/Page/Files/player.js"
};
static const unsigned char rejected_js[] = {
#embed "../TrackEngineServer/Page/Files/rejected.js"
};
static const unsigned char session_js[] = {
#embed "../TrackEngineServer/Page/Files/session.js"
};
static const unsigned char storage_js[] = {
#embed "../TrackEngineServer/Page/Files/storage.js"
};
static const unsigned char style_css[] = {
#embed "../TrackEngineServer/Page/Files/style.css"
};
static const unsigned char tiles_js[] = {
#embed "../TrackEngineServer/Page/Files/tiles.js"
};
static const unsigned char timeline_js[] = {
#embed "../TrackEngineServer/Page/Files/timeline.js"
};
static const unsigned char vehicle_js[] = {
#embed "../TrackEngineServer/Page/Files/vehicle.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct page_file files[] = {
    FILE("agent.js", agent_js),
    FILE("app.js", app_js),
    FILE("areaeditor.js", areaeditor_js),
    FILE("areas.js", areas_js),
    FILE("ask.js", ask_js),
    FILE("chart.js", chart_js),
    FILE("colours.js", colours_js),
    FILE("corrections.js", corrections_js),
    FILE("day.js", day_js),
    FILE("daymap.js", daymap_js),
    FILE("devices.js", devices_js),
    FILE("diary.js", diary_js),
    FILE("drawing.js", drawing_js),
    FILE("format.js", format_js),
    FILE("ground.js", ground_js),
    FILE("groups.js", groups_js),
    FILE("history.js", history_js),
    FILE("index.html", index_html),
    FILE("land.json", land_json),
    FILE("live.js", live_js),
    FILE("locked.html", locked_html),
    FILE("map.js", map_js),
    FILE("modes.js", modes_js),
    FILE("nomap.js", nomap_js),
    FILE("pieces.js", pieces_js),
    FILE("places.js", places_js),
    FILE("player.js", player_js),
    FILE("rejected.js", rejected_js),
    FILE("session.js", session_js),
    FILE("storage.js", storage_js),
    FILE("style.css", style_css),
    FILE("tiles.js", tiles_js),
    FILE("timeline.js", timeline_js),
    FILE("vehicle.js", vehicle_js),
};

const struct page_file *page_files(size_t *count) {
    *count = sizeof files / sizeof files[0];
    return files;
}
