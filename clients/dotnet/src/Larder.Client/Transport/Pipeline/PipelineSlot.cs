using Larder.Client.Calls;

namespace Larder.Client.Pipeline;

/// <summary>The state of one id of a stream. It is written under the stream's lock when a call is sent or abandoned. Only the reader clears it.</summary>
internal struct PipelineSlot
{
    /// <summary>The call that uses the id, or null if the id is free.</summary>
    public Call? Call;

    /// <summary>The version of the call object when the call was sent. The version changes when the object is reused.</summary>
    public long Version;

    /// <summary>The sequence number of the buffer that contains the call. If this buffer was never passed to the connection, the call was never sent.</summary>
    public long Buffer;

    /// <summary>Whether the call was abandoned. The id of an abandoned call stays in use until the response arrives (PIPE-2).</summary>
    public bool IsAbandoned;
}
