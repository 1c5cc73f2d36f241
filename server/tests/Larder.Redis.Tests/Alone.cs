namespace Larder.Redis.Tests;

/// <summary>Tests that must not run in parallel with any other test.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
