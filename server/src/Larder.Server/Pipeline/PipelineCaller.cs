using Larder.Wire;

namespace Larder.Server.Pipeline;

/// <summary>Who opened a pipeline, as far as the connection tells.</summary>
/// <param name="Share">The connection's part of the workers' time.</param>
/// <param name="Address">The client's IP address; empty if it is unknown. Without a token it says whose the stream is.</param>
/// <param name="Abort">Ends the stream at once, whatever is still under way on it.</param>
internal sealed record PipelineCaller(WorkShare Share, string Address, Action Abort);
