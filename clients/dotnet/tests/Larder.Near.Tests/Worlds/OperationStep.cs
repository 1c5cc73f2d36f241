namespace Larder.Near.Tests.Worlds;

/// <summary>How far an operation is. Each kind takes some of them, in this order.</summary>
internal enum OperationStep : byte
{
    /// <summary>Not called, or over.</summary>
    None,

    /// <summary>A near get whose stream was lost: to be sent again.</summary>
    Waiting,

    /// <summary>On its way to the server.</summary>
    Sent,

    /// <summary>A near get: the server has noted that the stream is to be told.</summary>
    Noted,

    /// <summary>A near get: the server has looked how long the value has.</summary>
    Timed,

    /// <summary>A near get: the node has read; its reply is on the way to the gateway.</summary>
    Asked,

    /// <summary>A write is on its way from the writer's core to the others' sight.</summary>
    Stored,

    /// <summary>The value is read.</summary>
    Read,

    /// <summary>The answer is in the stream.</summary>
    Answering,

    /// <summary>A write that others see.</summary>
    Visible,

    /// <summary>A write that has taken who is to be told, and has the stripe's lock.</summary>
    Taken,

    /// <summary>A write that the server has done with.</summary>
    Told,
}
