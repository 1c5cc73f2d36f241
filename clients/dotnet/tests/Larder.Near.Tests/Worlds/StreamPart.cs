using System.Runtime.InteropServices;
using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>One stream: its state at both sides, and the messages in flight to the client.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct StreamPart
{
    public ClientSide Client;
    public ServerSide Server;

    /// <summary>The index of the stream in the server's table of near streams.</summary>
    public byte Number;

    /// <summary>One plus the time at which the unanswered near_open or near_renew was sent. If there is no such request, this is 0.</summary>
    public byte AskedAt;

    /// <summary>The server's progress with a lease renewal.</summary>
    public RenewStep Renew;

    /// <summary>The nodes that have not answered the read of the renewal, one bit for each.</summary>
    public byte RenewNodes;

    /// <summary>The content of the server's queue for the stream, as a state number of <c>QueueMachine</c>.</summary>
    public ushort Queue;

    /// <summary>For each key, the version that the queue announces, or 0 if it announces none.</summary>
    public Two<byte> Notified;

    /// <summary>The messages in flight to the client.</summary>
    public UpToEight<Message> Messages;
}
