import ArgumentParser
import ServiceLifecycle
import Yams
