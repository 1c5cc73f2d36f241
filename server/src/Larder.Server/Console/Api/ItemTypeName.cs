using Larder.Store;
using Microsoft.AspNetCore.Http;

namespace Larder.Server.Console.Api;

/// <summary>The names that the page knows types of items by.</summary>
internal static class ItemTypeName
{
    /// <summary>A type's name.</summary>
    public static string Of(ItemType type) => type switch
    {
        ItemType.Scalar => "scalar",
        ItemType.Dictionary => "dictionary",
        ItemType.Set => "set",
        ItemType.List => "list",
        ItemType.SortedSet => "sorted set",
        _ => "unknown",
    };

    /// <summary>A type by its name; null, where that is empty: any.</summary>
    /// <exception cref="ApiException">There is no such type.</exception>
    public static ItemType? Parse(string name) =>
        name.Length == 0 ? null
        : Enum.GetValues<ItemType>().Cast<ItemType?>().FirstOrDefault(type => Of(type!.Value) == name)
            ?? throw new ApiException(StatusCodes.Status400BadRequest, "there is no such type of item");

    /// <summary>A collection's type by its name.</summary>
    /// <exception cref="ApiException">No collection is of such a type.</exception>
    public static ItemType ParseCollection(string name) => Parse(name) is { } type and not ItemType.Scalar
        ? type
        : throw new ApiException(StatusCodes.Status400BadRequest, "a collection is a dictionary, a set, a list or a sorted set");
}
