using System.Runtime.CompilerServices;

namespace Larder.Near.Tests.Exploring;

[InlineArray(4)]
internal struct Four<T>
    where T : unmanaged
{
    private T _first;
}
