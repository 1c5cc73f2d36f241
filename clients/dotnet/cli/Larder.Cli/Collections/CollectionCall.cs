using Larder.Client;

namespace Larder.Cli;

/// <summary>What a command on a collection runs with.</summary>
/// <param name="Client">The client, connected.</param>
/// <param name="Cache">The cache's name.</param>
/// <param name="Name">The collection's key.</param>
/// <param name="Cancellation">Ctrl+C.</param>
internal readonly record struct CollectionCall(CacheClient Client, string Cache, CacheBytes Name, CancellationToken Cancellation);
