namespace Larder.FileStore.Tests.Support;

/// <summary>Tests that must not run concurrently with others.</summary>
[CollectionDefinition(nameof(SequentialTests), DisableParallelization = true)]
public sealed class SequentialTests;
