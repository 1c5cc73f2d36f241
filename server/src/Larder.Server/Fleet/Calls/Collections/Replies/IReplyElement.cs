using Larder.Redis;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Reads the elements of a node's reply. The reply has the layout of a plain command or of a script.</summary>
internal interface IReplyElement
{
    /// <summary>Returns the number of elements.</summary>
    static abstract int CountIn(RespReader reply);

    /// <summary>Advances to the next element and returns it.</summary>
    static abstract CollectionElement Next(scoped ref RespReader reply);
}
