using System.Runtime.InteropServices;
using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>The nodes behind two fronts.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct FleetPart
{
    public byte Unused;
}
