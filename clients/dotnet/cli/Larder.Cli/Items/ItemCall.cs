using Larder.Client;

namespace Larder.Cli;

/// <summary>What a command on an item runs with.</summary>
/// <param name="Cache">The cache.</param>
/// <param name="Cancellation">Ctrl+C.</param>
internal readonly record struct ItemCall(Cache Cache, CancellationToken Cancellation);
