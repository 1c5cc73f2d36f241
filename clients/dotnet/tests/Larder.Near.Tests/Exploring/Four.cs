using System.Runtime.CompilerServices;

namespace Larder.Near.Tests.Exploring;

/// <summary>Four of a kind, in place.</summary>
[InlineArray(4)]
internal struct Four<T>
    where T : unmanaged
{
    private T _first;
}
