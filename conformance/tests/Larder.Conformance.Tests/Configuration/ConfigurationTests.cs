using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using Larder.Harness;
using Larder.Harness.Agents;
using Larder.Harness.Processes;

namespace Larder.Conformance.Tests.Configuration;

/// <summary>Compares each client's settings, as its agent reports them, with protocol/spec/configuration.md.</summary>
public sealed class ConfigurationTests
{
    // Agents report times with a precision of 1 µs.
    private const decimal Grain = 0.001m;

    private static readonly ConfigurationPage Page = new(Checkout.Read("protocol/spec/configuration.md"));

    public static TheoryData<string> Clients => [.. ConfigurationPage.Clients];

    [Fact]
    public void Specification_page_has_18_settings_and_four_configurations() => Assert.Equal((18, 4), (Page.Settings.Count, Page.Configurations.Count()));

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task CONFIG_1_and_3_Prebuilt_configurations_match_the_specification(string client)
    {
        await using AgentProcess agent = await StartAsync(client);
        List<string> broken = [];
        foreach (string configuration in Page.Configurations)
        {
            JsonObject told = Settings(await AskAsync(agent, configuration, []));
            JsonObject expected = Page.ValuesOf(configuration, client);
            IEnumerable<string> names = expected.Select(one => one.Key).Union(told.Select(one => one.Key)).Where(name => !AreEqual(expected[name], told[name]));
            broken.AddRange(names.Select(name => $"{configuration}: {name} is {Text(told[name])}, on the page {Text(expected[name])}"));
        }

        AssertNone(broken);
    }

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task CONFIG_1_Unknown_setting_is_rejected_with_error_that_names_it(string client)
    {
        await using AgentProcess agent = await StartAsync(client);
        AssertNone(await RefusedAsync(agent, "maxInFlight", "maxInFlight", [1]));
    }

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task CONFIG_2_Setting_accepts_only_values_within_its_range(string client)
    {
        await using AgentProcess agent = await StartAsync(client);
        JsonObject given = Page.ValuesOf("laptop.v1", client);
        List<string> broken = [];
        foreach (SettingRow setting in Page.Settings.Where(setting => setting.IsOf(client)))
        {
            List<JsonNode> taken = [.. setting.Choices];
            List<JsonNode> refused = [new JsonArray()];
            if (setting.Ends is { } ends)
            {
                (decimal least, decimal most) = (End(ends.Least, given), End(ends.Most, given));
                // The step is 1 for an integer setting, and a thousandth for a fractional one.
                decimal step = decimal.IsInteger(least) && decimal.IsInteger(most) && !setting.Default.Contains('.') ? 1 : Grain;
                taken.AddRange([least, most]);
                refused.AddRange([least - step, most + step, most * 10, "many", true]);
                if (setting.IsWhole)
                {
                    refused.Add(least + 0.5m);
                }
            }

            if (setting.Choices.Any())
            {
                refused.AddRange(["neither", 7]);
            }

            (setting.MayBeNone ? taken : refused).Add("off");
            broken.AddRange(await TakenAsync(agent, setting.Node, taken));
            broken.AddRange(await RefusedAsync(agent, setting.Node, setting.WrittenBy(client), refused));
        }

        AssertNone(broken);
    }

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task CONFIG_2_Headers_need_lower_case_names_and_ASCII_values(string client)
    {
        await using AgentProcess agent = await StartAsync(client);
        SettingRow headers = Page.Settings.Single(setting => setting.Node == "headers");
        List<string> broken = await TakenAsync(agent, headers.Node, [Header("x-1_a.b", " ~")]);
        IEnumerable<JsonNode> names = Page.NamesRefused.Concat(["X-Name", "x name", "", "grpc-timeout", "x-bin"]).Select(name => Header(name, "value"));
        JsonNode[] values = [Header("x", "é"), Header("x", "a\nb"), Header("x", "\u007f"), new JsonObject { ["x"] = 1 }, new JsonObject { ["x"] = null }];
        broken.AddRange(await RefusedAsync(agent, headers.Node, headers.WrittenBy(client), [.. names, .. values]));
        AssertNone(broken);
    }

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task CONFIG_2_Near_cache_settings_are_limited_to_their_ranges(string client)
    {
        await using AgentProcess agent = await StartAsync(client);
        SettingRow setting = Page.Settings.Single(setting => setting.Node == "nearCache");
        List<JsonNode> taken = [Near("caches", Texts(1_000)), Near("keyPrefixes", Texts(1_000))];
        List<JsonNode> refused = [new JsonObject(), Near("most", 1), "many", true, 7];
        foreach (SettingRow part in Page.NearCache.Where(part => part.Ends is not null))
        {
            (decimal least, decimal most) = (SettingRow.NumberOf(part.Ends!.Value.Least), SettingRow.NumberOf(part.Ends.Value.Most));
            taken.AddRange(new[] { least, most }.Select(value => Near(part.Node, value)));
            refused.AddRange(new JsonNode[] { least - 1, most + 1, most * 10, 0, -1, "many", true, "off" }.Select(value => Near(part.Node, value)));
        }

        foreach (string list in new[] { "caches", "keyPrefixes" })
        {
            refused.AddRange(new JsonNode[] { Texts(0), Texts(1_001), new JsonArray(""), new JsonArray(7), "text", "off" }.Select(value => Near(list, value)));
        }

        refused.Add(Near("caches", new JsonArray("\n")));
        List<string> broken = await TakenAsync(agent, setting.Node, taken);
        broken.AddRange(await RefusedAsync(agent, setting.Node, setting.WrittenBy(client), refused));
        AssertNone(broken);
    }

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task NEAR_29_Near_cache_is_rejected_with_unary_transport(string client)
    {
        await using AgentProcess agent = await StartAsync(client);
        SettingRow setting = Page.Settings.Single(setting => setting.Node == "nearCache");
        JsonObject answer = await AskAsync(agent, "laptop.v1", new JsonObject { ["transport"] = "unary", [setting.Node] = Near("maxBytes", 1_024) });
        Assert.Equal("InvalidArgument", answer["error"]?["code"]?.GetValue<string>());
        Assert.Matches($@"\b{setting.WrittenBy(client)}\b", answer["error"]?["message"]?.GetValue<string>() ?? "");
    }

    // Returns the settings of a near cache with one setting changed. All settings are specified, because clients may differ in how they report an omitted
    // setting.
    private static JsonObject Near(string part, JsonNode value)
    {
        JsonObject near = new()
        {
            ["maxBytes"] = 65_536,
            ["maxAgeMs"] = 1_000,
            ["caches"] = new JsonArray("cache"),
            ["keyPrefixes"] = new JsonArray("key"),
        };
        near[part] = value;
        return near;
    }

    private static JsonArray Texts(int count) => [.. Enumerable.Range(0, count).Select(static number => (JsonNode)$"name-{number}")];

    private static JsonObject Header(string name, string value) => new() { [name] = value };

    private static decimal End(string end, JsonObject given) =>
        SettingRow.Referred(end) is { } setting ? given[setting]!.GetValue<decimal>() : SettingRow.NumberOf(end);

    // Returns the changes that set one setting to a value. Settings whose lower limit is this setting are set to their maximum, so that they stay valid.
    private static JsonObject Changes(string name, JsonNode value)
    {
        IEnumerable<SettingRow> above = Page.Settings.Where(setting => setting.Ends is { } ends && SettingRow.Referred(ends.Least) == name);
        JsonObject changes = new(above.Select(setting => KeyValuePair.Create<string, JsonNode?>(setting.Node, SettingRow.NumberOf(setting.Ends!.Value.Most))));
        changes[name] = value.DeepClone();
        return changes;
    }

    private static async Task<List<string>> TakenAsync(AgentProcess agent, string name, IEnumerable<JsonNode> values)
    {
        List<string> broken = [];
        foreach (JsonNode value in values)
        {
            JsonObject answer = await AskAsync(agent, "laptop.v1", Changes(name, value));
            if (answer["settings"]?[name] is not { } told || !AreEqual(value, told))
            {
                broken.Add($"{name} {Short(value)} is not taken: {Short(answer)}");
            }
        }

        return broken;
    }

    private static async Task<List<string>> RefusedAsync(AgentProcess agent, string name, string written, IEnumerable<JsonNode> values)
    {
        List<string> broken = [];
        foreach (JsonNode value in values)
        {
            JsonObject answer = await AskAsync(agent, "laptop.v1", Changes(name, value));
            JsonNode? error = answer["error"];
            if (error?["code"]?.GetValue<string>() != "InvalidArgument" || !Regex.IsMatch(error["message"]?.GetValue<string>() ?? "", $@"\b{written}\b"))
            {
                broken.Add($"{name} {Short(value)} is not refused by an error that says {written}: {Short(answer)}");
            }
        }

        return broken;
    }

    private static async Task<JsonObject> AskAsync(AgentProcess agent, string configuration, JsonObject settings) =>
        await agent.AskAsync(new JsonObject { ["op"] = "configuration", ["configuration"] = configuration, ["settings"] = settings });

    private static JsonObject Settings(JsonObject answer)
    {
        Assert.True(answer["settings"] is JsonObject, answer.ToJsonString());
        return answer["settings"]!.AsObject();
    }

    // Truncates the text, because a list may have a thousand items.
    private static string Short(JsonNode value) => value.ToJsonString() is { Length: > 1_000 } text ? $"{text[..1_000]} …" : value.ToJsonString();

    private static string Text(JsonNode? value) => value?.ToJsonString() ?? "not there";

    private static bool AreEqual(JsonNode? expected, JsonNode? told) => expected is JsonValue one && one.TryGetValue(out decimal number)
        ? told is JsonValue other && other.TryGetValue(out decimal found) && Math.Abs(number - found) < Grain
        : JsonNode.DeepEquals(expected, told);

    private static Task<AgentProcess> StartAsync(string client)
    {
        ProgramCommand? command = AgentCommand.Built().SingleOrDefault(agent => agent.Name == client);
        Assert.True(command is not null, $"the agent of the {client} client is not built");
        return AgentProcess.StartAsync(command, Run.Patience);
    }

    private static void AssertNone(List<string> broken) => Assert.True(broken.Count == 0, string.Join(Environment.NewLine, broken));
}
