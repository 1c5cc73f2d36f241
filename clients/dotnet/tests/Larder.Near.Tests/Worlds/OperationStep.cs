namespace Larder.Near.Tests.Worlds;

/// <summary>The progress of an operation. Each kind passes through some of these steps, in this order.</summary>
internal enum OperationStep : byte
{
    /// <summary>Not called, or completed.</summary>
    None,

    /// <summary>A near get whose stream was lost waits to be sent again.</summary>
    Waiting,

    /// <summary>In flight to the server.</summary>
    Sent,

    /// <summary>Near get: the server has recorded that the stream must be notified.</summary>
    Noted,

    /// <summary>Near get: the server has looked up the value's remaining TTL.</summary>
    Timed,

    /// <summary>Near get: the node has read the key, and its reply is in flight to the gateway.</summary>
    Asked,

    /// <summary>Write: stored by the writer's core, but not necessarily visible to others yet.</summary>
    Stored,

    /// <summary>The value has been read.</summary>
    Read,

    /// <summary>The response is in the stream.</summary>
    Answering,

    /// <summary>Write: visible to others.</summary>
    Visible,

    /// <summary>Write: it has taken the streams to notify, and holds the stripe's lock.</summary>
    Taken,

    /// <summary>Write: the server has finished.</summary>
    Notified,
}
