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
    /// For each version, the time at which the write completed for its caller, plus one. 0 if the write has not completed or the time is no longer relevant.
    /// </summary>
    public Eight<byte> EndedAt;
}
