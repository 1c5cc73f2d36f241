using System.Runtime.CompilerServices;

namespace Larder.Near.Tests.Exploring;

/// <summary>Six of a kind, in place.</summary>
[InlineArray(6)]
internal struct Six<T>
    where T : unmanaged
{
    private T _first;
}
