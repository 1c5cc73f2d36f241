using System.Runtime.InteropServices;
using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>One stream: what both sides think of it, and what is on its way to the client.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct StreamPart
{
    public ClientSide Client;
    public ServerSide Server;

    /// <summary>Its number among the server's near streams.</summary>
    public byte Number;

    /// <summary>When the near_open or near_renew that is not answered was sent, and one; 0: there is none.</summary>
    public byte AskedAt;

    /// <summary>How far the server is with a renew.</summary>
    public RenewStep Renew;

    /// <summary>Nodes that have still to answer the renew's read: a bit each.</summary>
    public byte RenewNodes;

    /// <summary>What the server is still to tell: a number of <c>QueueMachine</c>.</summary>
    public ushort Queue;

    /// <summary>Of each key, the version whose end that tells.</summary>
    public Two<byte> Told;

    /// <summary>Messages on their way.</summary>
    public UpToEight<Message> Messages;
}
