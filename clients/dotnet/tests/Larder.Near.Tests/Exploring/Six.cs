using System.Runtime.CompilerServices;

namespace Larder.Near.Tests.Exploring;

[InlineArray(6)]
internal struct Six<T>
    where T : unmanaged
{
    private T _first;
}
