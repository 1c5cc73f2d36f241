namespace Larder.FileStore.Tests.Support;

/// <summary>Tests that must not run concurrently with others.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
