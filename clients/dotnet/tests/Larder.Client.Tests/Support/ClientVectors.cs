using System.Text.Json;
using Larder.Harness;

namespace Larder.Client.Tests.Support;

/// <summary>Loads a file in <c>protocol/vectors/clients</c>, and finds its cases by name.</summary>
internal sealed class ClientVectors(string file)
{
    private readonly JsonElement[] _cases = [.. JsonDocument.Parse(Checkout.Read($"protocol/vectors/clients/{file}")).RootElement.EnumerateArray()];

    public IEnumerable<string> Names => _cases.Select(NameOf);

    public JsonElement this[string name] => _cases.Single(each => NameOf(each) == name);

    private static string NameOf(JsonElement each) => $"{each.GetProperty("rule").GetString()}: {each.GetProperty("case").GetString()}";
}
