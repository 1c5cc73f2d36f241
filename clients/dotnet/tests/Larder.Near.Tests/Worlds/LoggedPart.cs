using System.Runtime.InteropServices;

namespace Larder.Near.Tests.Worlds;

/// <summary>The changes of a key that are in the server's log: they were taken by writers and are not in the queues of the streams.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct LoggedPart
{
    /// <summary>The numbers of the streams that must be notified, one bit each.</summary>
    public byte Takes;

    /// <summary>The version of the newest change.</summary>
    public byte Version;
}
