namespace Larder.Redis.Tests;

/// <summary>The collection of tests that must not run in parallel with any other test.</summary>
[CollectionDefinition(nameof(SequentialTests), DisableParallelization = true)]
public sealed class SequentialTests;
