namespace Larder.Client.Tests.Support;

/// <summary>Tests that run when no other does.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
