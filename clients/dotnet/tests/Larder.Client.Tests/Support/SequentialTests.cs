namespace Larder.Client.Tests.Support;

/// <summary>Tests that must not run in parallel with any other test.</summary>
[CollectionDefinition(nameof(SequentialTests), DisableParallelization = true)]
public sealed class SequentialTests;
