using Larder.Wire;

namespace Larder.Server.Pipeline;

/// <summary>The origin of a pipeline, as far as the connection identifies it.</summary>
/// <param name="Share">The connection's share of the workers' time.</param>
/// <param name="Address">The client's IP address; empty if unknown. If there is no token, the address identifies the user.</param>
/// <param name="Abort">Ends the stream immediately, even if operations are in progress.</param>
internal sealed record PipelineCaller(WorkShare Share, string Address, Action Abort);
