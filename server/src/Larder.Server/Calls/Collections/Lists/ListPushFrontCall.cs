using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>ListPushFront: inserts an element at the beginning.</summary>
internal static class ListPushFrontCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response) =>
        ListPush.Run(target, request, response, ListEnd.Front, ElementShape.OneName);
}
