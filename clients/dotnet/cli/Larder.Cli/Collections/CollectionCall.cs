using Larder.Client;

namespace Larder.Cli;

/// <summary>The arguments of a command on a collection.</summary>
/// <param name="Cache">The cache.</param>
/// <param name="Name">The collection's key.</param>
/// <param name="Cancellation">Cancelled by Ctrl+C.</param>
internal readonly record struct CollectionCall(Cache Cache, CacheBytes Name, CancellationToken Cancellation);
