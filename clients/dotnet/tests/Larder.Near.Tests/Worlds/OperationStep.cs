namespace Larder.Near.Tests.Worlds;

/// <summary>The progress of an operation. Each kind passes through some of these steps, in this order.</summary>
internal enum OperationStep : byte
{
    /// <summary>The operation is not in use: it has not been called, or it has completed.</summary>
    None,

    /// <summary>Near get: its stream was lost, and the get waits to be sent again.</summary>
    Waiting,

    /// <summary>The request is in flight to the server.</summary>
    Sent,

    /// <summary>Near get: the server has recorded that the stream must be notified.</summary>
    Noted,

    /// <summary>Near get: the server has read the remaining TTL of the value.</summary>
    Timed,

    /// <summary>Near get: the node has read the key, and its reply is in flight to the gateway.</summary>
    Asked,

    /// <summary>Write: the processor core of the writer has stored the value, but other cores may not see it yet.</summary>
    Stored,

    /// <summary>Read: the server has read the value.</summary>
    Read,

    /// <summary>The server has written the response into the stream.</summary>
    Answering,

    /// <summary>Write: the new value is visible to other clients.</summary>
    Visible,

    /// <summary>Write: the writer has taken the streams to notify, and holds the stripe's lock.</summary>
    Taken,

    /// <summary>Write: the server has finished the write and its notifications.</summary>
    Notified,
}
