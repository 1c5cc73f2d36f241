using System.Runtime.CompilerServices;

namespace Larder.Near.Tests.Exploring;

/// <summary>Two of a kind, in place.</summary>
[InlineArray(2)]
internal struct Two<T>
    where T : unmanaged
{
    private T _first;
}
