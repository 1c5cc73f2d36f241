using System.Runtime.InteropServices;
using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>One key at the server. Each write makes the next version.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct KeyPart
{
    public byte Version;
    public ValueForm Form;

    /// <summary>When the write of each version ended for its caller, and one; 0: it has not, or nobody needs to know any more.</summary>
    public Eight<byte> EndedAt;
}
