using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>ListPopBack: RPOP.</summary>
internal sealed class RemoteListPopBack() : RemoteListPop(ListEnd.Back);
