using System.Runtime.InteropServices;
using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>The state of one key at the server. Each write creates the next version.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct KeyPart
{
    public byte Version;
    public ValueForm Form;

    /// <summary>
    /// For each version, one plus the time at which its write completed for the caller. If the write has not completed or the time is no longer relevant, this
    /// is 0.
    /// </summary>
    public Eight<byte> EndedAt;
}
