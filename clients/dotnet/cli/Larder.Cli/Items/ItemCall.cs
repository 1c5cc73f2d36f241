using Larder.Client;

namespace Larder.Cli;

/// <summary>What a command on an item runs with.</summary>
/// <param name="Client">The client, connected.</param>
/// <param name="Cache">The cache's name.</param>
/// <param name="Cancellation">Ctrl+C.</param>
internal readonly record struct ItemCall(CacheClient Client, string Cache, CancellationToken Cancellation);
