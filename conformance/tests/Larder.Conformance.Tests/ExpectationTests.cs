using System.Text.Json.Nodes;

namespace Larder.Conformance.Tests;

public sealed class ExpectationTests
{
    [Theory]
    [InlineData("""{"result":"hit"}""", """{"result":"hit","value":"1"}""")]
    [InlineData("""{"n":{"atLeast":1,"below":3}}""", """{"n":1}""")]
    [InlineData("""{"error":{"code":"NotFound"}}""", """{"error":{"code":"NotFound","message":"m"}}""")]
    [InlineData("""{"exists":[true,false]}""", """{"exists":[true,false]}""")]
    [InlineData("""{"valueSizeBytes":2}""", """{"valueBase64":"eHg="}""")]
    [InlineData("""{"elements":{"anyOrder":["a","b","a"]}}""", """{"elements":["b","a","a"]}""")]
    [InlineData("""{"items":{"anyOrder":[["a",null],["b",1]]}}""", """{"items":[["b",1],["a",null]]}""")]
    [InlineData("""{"elements":{"someOf":["a","b","c"],"count":2}}""", """{"elements":["c","a"]}""")]
    public void Difference_is_null_when_response_contains_everything_expected(string expected, string actual) =>
        Assert.Null(Expectation.Difference(JsonNode.Parse(expected), JsonNode.Parse(actual)));

    [Theory]
    [InlineData("""{"result":"hit"}""", """{"result":"miss"}""", "result")]
    [InlineData("""{"result":"hit"}""", "{}", "absent")]
    [InlineData("""{"n":{"below":3}}""", """{"n":3}""", "less than 3")]
    [InlineData("""{"n":{"atLeast":3}}""", """{"n":2}""", "at least 3")]
    [InlineData("""{"n":{"atLeast":3}}""", """{"n":"x"}""", "expected a number")]
    [InlineData("""{"exists":[true]}""", """{"exists":[true,true]}""", "2 items, expected 1")]
    [InlineData("""{"exists":[true,true]}""", """{"exists":[true,false]}""", "exists[1]")]
    [InlineData("""{"valueSizeBytes":2}""", """{"valueBase64":"eHh4"}""", "is 3, expected 2")]
    [InlineData("""{"elements":{"anyOrder":["a","b"]}}""", """{"elements":["a","a"]}""", "elements[1]")]
    [InlineData("""{"elements":{"anyOrder":["a"]}}""", """{"elements":["a","a"]}""", "2 items, expected 1")]
    [InlineData("""{"elements":{"anyOrder":["a"]}}""", "{}", "expected a list")]
    [InlineData("""{"elements":{"someOf":["a","b"],"count":2}}""", """{"elements":["a","a"]}""", "duplicate")]
    [InlineData("""{"elements":{"someOf":["a","b"],"count":1}}""", """{"elements":["c"]}""", "unexpected item")]
    [InlineData("""{"elements":{"someOf":["a","b"],"count":1}}""", """{"elements":["a","b"]}""", "2 items, expected 1")]
    [InlineData("""{"elements":{"someOf":["a"],"count":0}}""", "{}", "expected a list")]
    [InlineData("""{"valueSizeBytes":2}""", """{"valueBase64":"eXk="}""", "the value differs from the stored value")]
    public void Difference_names_the_differing_field(string expected, string actual, string said) =>
        Assert.Contains(said, Expectation.Difference(JsonNode.Parse(expected), JsonNode.Parse(actual)), StringComparison.Ordinal);
}
