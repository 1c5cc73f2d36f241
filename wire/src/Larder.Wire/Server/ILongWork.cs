namespace Larder.Wire;

/// <summary>Has pieces of long work.</summary>
internal interface ILongWork
{
    /// <summary>Does one piece; true where there is another. Does not throw.</summary>
    bool RunOne();
}
