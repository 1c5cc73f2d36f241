using Larder.Client.Calls;

namespace Larder.Client.Pipeline;

/// <summary>The state of an id of a stream. Written under the stream's lock when a call is sent or abandoned, and cleared only by the reader.</summary>
internal struct PipelineSlot
{
    /// <summary>The call, or null if the id is free.</summary>
    public Call? Call;

    /// <summary>The version of the call that was sent.</summary>
    public long Version;

    /// <summary>The number of the buffer that contains the call. Calls in a buffer after the last one handed to the connection were never sent.</summary>
    public long Buffer;

    /// <summary>Whether the call was abandoned, so that the id only waits for the response (PIPE-2).</summary>
    public bool IsAbandoned;
}
