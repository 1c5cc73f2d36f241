using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>ListPopFront: LPOP.</summary>
internal sealed class RemoteListPopFront() : RemoteListPop(ListEnd.Front);
