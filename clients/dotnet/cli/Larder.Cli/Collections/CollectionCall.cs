using Larder.Client;

namespace Larder.Cli;

/// <summary>What a command on a collection runs with.</summary>
/// <param name="Cache">The cache.</param>
/// <param name="Name">The collection's key.</param>
/// <param name="Cancellation">Ctrl+C.</param>
internal readonly record struct CollectionCall(Cache Cache, CacheBytes Name, CancellationToken Cancellation);
