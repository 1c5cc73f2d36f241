using Larder.Client.Calls;

namespace Larder.Client.Pipeline;

/// <summary>What an id of a stream stands for. Written under the stream's lock when a call is sent or abandoned; emptied by the reader alone.</summary>
internal struct PipelineSlot
{
    /// <summary>The call; null where the id is free.</summary>
    public Call? Call;

    /// <summary>The call's life that was sent.</summary>
    public long Version;

    /// <summary>Which of the stream's buffers it was written into: those after the last one handed to the connection never left.</summary>
    public long Buffer;

    /// <summary>True where nobody waits for the answer any more: the id waits for it alone (PIPE-2).</summary>
    public bool IsAbandoned;
}
