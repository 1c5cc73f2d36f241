using Larder.Redis;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>How the elements of an answer stand in a node's reply, whether a plain command's or a script's.</summary>
internal interface IReplyElement
{
    /// <summary>How many there are.</summary>
    static abstract int CountIn(RespReader reply);

    /// <summary>Goes on to the next one.</summary>
    static abstract CollectionElement Next(scoped ref RespReader reply);
}
