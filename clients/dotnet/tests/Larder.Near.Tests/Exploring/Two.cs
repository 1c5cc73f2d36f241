using System.Runtime.CompilerServices;

namespace Larder.Near.Tests.Exploring;

/// <summary>Two values, stored inline.</summary>
[InlineArray(2)]
internal struct Two<T>
    where T : unmanaged
{
    private T _first;
}
