using System.Runtime.CompilerServices;

namespace Larder.Near.Tests.Exploring;

/// <summary>Eight of a kind, in place.</summary>
[InlineArray(8)]
internal struct Eight<T>
    where T : unmanaged
{
    private T _first;
}
