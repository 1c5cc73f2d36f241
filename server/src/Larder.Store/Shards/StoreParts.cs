namespace Larder.Store;

/// <summary>What all shards of a store share.</summary>
internal sealed record StoreParts(
    MonotonicClock Clock,
    Epochs Epochs,
    SpaceTable Spaces,
    ShadowEstimate Shadow,
    PageRegions Pages,
    int Shards,
    bool PoisonFreedMemory);
