using Larder.Store;
using Microsoft.AspNetCore.Http;

namespace Larder.Server.Console.Api;

/// <summary>The names of item types on the page.</summary>
internal static class ItemTypeName
{
    public static string Of(ItemType type) => type switch
    {
        ItemType.Scalar => "scalar",
        ItemType.Dictionary => "dictionary",
        ItemType.Set => "set",
        ItemType.List => "list",
        ItemType.SortedSet => "sorted set",
        _ => "unknown",
    };

    /// <summary>Returns the type with a name, or null (any type) if the name is empty.</summary>
    /// <exception cref="ApiException">The name is unknown.</exception>
    public static ItemType? Parse(string name) =>
        name.Length == 0 ? null
        : Enum.GetValues<ItemType>().Cast<ItemType?>().FirstOrDefault(type => Of(type!.Value) == name)
            ?? throw new ApiException(StatusCodes.Status400BadRequest, "unknown item type");

    /// <summary>Returns the collection type with a name.</summary>
    /// <exception cref="ApiException">The name is not that of a collection type.</exception>
    public static ItemType ParseCollection(string name) => Parse(name) is { } type and not ItemType.Scalar
        ? type
        : throw new ApiException(StatusCodes.Status400BadRequest, "a collection must be a dictionary, set, list or sorted set");
}
