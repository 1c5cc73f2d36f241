using Larder.Client;

namespace Larder.Cli;

/// <summary>The arguments of a command on an item.</summary>
/// <param name="Cache">The cache.</param>
/// <param name="Cancellation">Cancelled by Ctrl+C.</param>
internal readonly record struct ItemCall(Cache Cache, CancellationToken Cancellation);
