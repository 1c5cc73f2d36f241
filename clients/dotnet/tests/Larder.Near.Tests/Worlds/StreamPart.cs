using System.Runtime.InteropServices;
using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>One stream: its state at both sides, and the messages in flight to the client.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct StreamPart
{
    public ClientSide Client;
    public ServerSide Server;

    /// <summary>The stream's number among the server's near streams.</summary>
    public byte Number;

    /// <summary>The time at which the unanswered near_open or near_renew was sent, plus one; 0 if there is none.</summary>
    public byte AskedAt;

    /// <summary>The server's progress with a renewal.</summary>
    public RenewStep Renew;

    /// <summary>The nodes that have not answered the renewal's read: one bit each.</summary>
    public byte RenewNodes;

    /// <summary>What the server has queued for the stream, as a state number of <c>QueueMachine</c>.</summary>
    public ushort Queue;

    /// <summary>The version of each key whose write the queue announces.</summary>
    public Two<byte> Notified;

    /// <summary>The messages in flight to the client.</summary>
    public UpToEight<Message> Messages;
}
