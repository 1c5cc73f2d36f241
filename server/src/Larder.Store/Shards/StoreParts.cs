namespace Larder.Store;

/// <summary>The parts of a store that all its shards share.</summary>
internal sealed record StoreParts(
    MonotonicClock Clock,
    Epochs Epochs,
    SpaceTable Spaces,
    ShadowEstimate Shadow,
    PageRegions Pages,
    int Shards,
    bool PoisonFreedMemory);
