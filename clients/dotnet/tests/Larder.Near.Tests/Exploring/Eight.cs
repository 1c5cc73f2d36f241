using System.Runtime.CompilerServices;

namespace Larder.Near.Tests.Exploring;

[InlineArray(8)]
internal struct Eight<T>
    where T : unmanaged
{
    private T _first;
}
