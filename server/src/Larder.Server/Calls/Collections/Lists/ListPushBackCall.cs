using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>ListPushBack: appends an element at the end.</summary>
internal static class ListPushBackCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response) =>
        ListPush.Run(target, request, response, ListEnd.Back, ElementShape.OneName);
}
