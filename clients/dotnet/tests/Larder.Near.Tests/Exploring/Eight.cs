using System.Runtime.CompilerServices;

namespace Larder.Near.Tests.Exploring;

/// <summary>Eight values, stored inline.</summary>
[InlineArray(8)]
internal struct Eight<T>
    where T : unmanaged
{
    private T _first;
}
