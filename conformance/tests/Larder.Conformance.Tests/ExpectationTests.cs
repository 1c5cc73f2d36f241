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
    public void An_answer_that_holds_all_that_is_expected_has_no_difference(string expected, string actual) =>
        Assert.Null(Expectation.Difference(JsonNode.Parse(expected), JsonNode.Parse(actual)));

    [Theory]
    [InlineData("""{"result":"hit"}""", """{"result":"miss"}""", "result")]
    [InlineData("""{"result":"hit"}""", "{}", "absent")]
    [InlineData("""{"n":{"below":3}}""", """{"n":3}""", "not below 3")]
    [InlineData("""{"n":{"atLeast":3}}""", """{"n":2}""", "below 3")]
    [InlineData("""{"n":{"atLeast":3}}""", """{"n":"x"}""", "not a number")]
    [InlineData("""{"exists":[true]}""", """{"exists":[true,true]}""", "2 items, not 1")]
    [InlineData("""{"exists":[true,true]}""", """{"exists":[true,false]}""", "exists[1]")]
    [InlineData("""{"valueSizeBytes":2}""", """{"valueBase64":"eHh4"}""", "is 3, not 2")]
    [InlineData("""{"valueSizeBytes":2}""", """{"valueBase64":"eXk="}""", "not those that were set")]
    public void A_difference_says_where_it_is(string expected, string actual, string said) =>
        Assert.Contains(said, Expectation.Difference(JsonNode.Parse(expected), JsonNode.Parse(actual)), StringComparison.Ordinal);
}
