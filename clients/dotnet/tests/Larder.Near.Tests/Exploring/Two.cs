using System.Runtime.CompilerServices;

namespace Larder.Near.Tests.Exploring;

[InlineArray(2)]
internal struct Two<T>
    where T : unmanaged
{
    private T _first;
}
