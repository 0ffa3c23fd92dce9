# TrackEngine: `make run` and `make test` need nothing but Debian 12 (or newer) and Swift; the rest is for daily work.

# Where `make install` puts things. DESTDIR is for packagers.
PREFIX ?= /usr/local
DESTDIR ?=
# How many compilers run at a time: each may take a gigabyte.
JOBS ?= 2
# Where packages are written.
PACKAGES ?= .build/packages

export JOBS

.PHONY: help run build test check torture fuzz bench bench-stops sanitize format lint docs picture reference install clean
.PHONY: deb tarball apt-repository image packages release

help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s  %s\n", $$1, $$2 }' Makefile

# Debug, because that is the fastest way from a clean clone to a moving track: no optimiser, and only what trackd needs
# (no tests, no documentation tool). `make test` goes on from the same build.
run: ## Build trackd and run it: gpsd if one answers on localhost, else a simulated vehicle
	@scripts/install-dependencies build
	swift build --product trackd $$(scripts/build-options debug) -j $(JOBS)
	@exec .build/debug/trackd run

build: ## Build everything without optimisation
	@scripts/install-dependencies build
	swift build $$(scripts/build-options debug) -j $(JOBS)

test: ## Lint, one build and every test once; `make test STEPS="format debug"` runs those steps instead
	@scripts/install-dependencies test
	@scripts/test $(or $(STEPS),format sources prose imports readme debug-build debug-tests)

check: ## What CI runs besides: linkage, examples, compatibility, documentation, release build and tests, short benchmark, bindings
	@scripts/install-dependencies check
	@scripts/test linkage examples compatibility documentation release-build release-tests bench bindings

sanitize: ## Run the tests three times under the thread sanitizer, then under the address sanitizer
	@scripts/install-dependencies test
	@scripts/test thread address

# Full disks need a mount of their own, so that part runs for root only and is reported as not run otherwise.
torture: ## Break the store in every known way, look whether the promise holds, and write Tests/Torture/RESULTS.md
	@scripts/install-dependencies test
	swift build -c release --product torture -j $(JOBS)
	.build/release/torture all --workers $(JOBS) --report Tests/Torture/RESULTS.md

fuzz: ## Fuzz every target of Tests/FuzzTests for ten minutes; `make fuzz SECONDS=60` for one
	@scripts/install-dependencies test
	@scripts/fuzz $(or $(SECONDS),600)

# BENCH_RECEIVERS="NAME=http://127.0.0.1:PORT/PATH;…" names other receivers that run, to be measured beside ours.
bench: ## Measure everything beside its yardsticks and write Benchmarks/RESULTS.md; `make bench SUITES=Server` for some
	@scripts/install-dependencies bench
	swift build -c release --package-path Benchmarks --product table -j $(JOBS)
	Benchmarks/.build/release/table Benchmarks/RESULTS.md $(SUITES)

# BENCH_TRACKS=FOLDER holds the recorded tracks that have labels; without it they are left out.
bench-stops: ## Score stays and trips beside others' rules and write Benchmarks/STOPS.md
	@scripts/install-dependencies bench
	swift build -c release --package-path Benchmarks --product stops -j $(JOBS)
	Benchmarks/.build/release/stops Benchmarks/STOPS.md Benchmarks/StopTools/run $(BENCH_TRACKS)

format: ## Format all Swift files in place
	swift format -i -r Sources Tests Examples Benchmarks Package.swift

lint: ## Check format, imports, sizes, documentation comments and prose, without building
	@scripts/test format sources prose imports readme

docs: ## Write the documentation of all libraries as a web site into .build/documentation
	@scripts/install-dependencies build
	@mkdir -p .build/documentation
	scripts/documentation --output-path .build/documentation --transform-for-static-hosting --hosting-base-path /

picture: ## Take the README's picture of the page again, in a real browser
	@scripts/install-dependencies test
	scripts/build-tests release
	scripts/run-tests release '^ServerTests.PictureTests'
	cp .build/screens/page.png Sources/TrackEngineServer/TrackEngineServer.docc/page.png

# They are committed, and a test compares them with what trackd says; run this after a change of any key or command.
reference: ## Write the reference of the configuration for the documentation, and the manual pages
	@scripts/install-dependencies build
	swift build --product trackd $$(scripts/build-options debug) -j $(JOBS)
	.build/debug/trackd explain --format markdown > Sources/TrackEngineAgent/TrackEngineAgent.docc/ConfigurationReference.md
	.build/debug/trackd explain --format man > Packaging/man/trackd.yaml.5
	.build/debug/trackd explain --format man1 > Packaging/man/trackd.1

install: ## Install trackd, its systemd unit, manual pages and a commented configuration (DESTDIR, PREFIX)
	@scripts/install-dependencies build
	scripts/build-trackd
	scripts/install-files "$(DESTDIR)" "$(PREFIX)"

# The packages are for the architecture of this machine; GPG_KEY names the key that signs.
deb: ## Build trackd and the C library, and pack them for Debian into .build/packages (PACKAGES)
	@scripts/install-dependencies package
	scripts/build-trackd
	Packaging/deb/build $(PACKAGES)
	Bindings/build
	Bindings/build agent
	Packaging/deb-library/build $(PACKAGES)

tarball: ## The same for systems without dpkg, with install.sh
	@scripts/install-dependencies package
	scripts/build-trackd
	Packaging/tarball/build $(PACKAGES)

apt-repository: deb ## A signed repository for apt with all Debian packages in .build/packages (GPG_KEY)
	mkdir -p $(PACKAGES)/apt
	cp $(PACKAGES)/*.deb $(PACKAGES)/apt/
	Packaging/apt-repository $(PACKAGES)/apt

image: ## A container image, which needs buildah or podman
	@scripts/install-dependencies package
	scripts/build-trackd
	Packaging/image $(PACKAGES)

packages: ## Install, upgrade, remove and purge the packages in a Debian of their own; needs root
	@scripts/install-dependencies package
	@scripts/test packages

release: ## All files of a release, checksums, a signed list and a bill of materials (GPG_KEY)
	scripts/release

clean: ## Remove everything that was built
	rm -rf .build .build-thread .build-address Examples/*/.build Benchmarks/.build
